# For test frameworks (OpenBench): make EXE=name [EVALFILE=network]. Everybody else uses cargo.

EXE ?= chuhe
EVALFILE ?=

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
TARGET ?= $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)

.PHONY: all
all:
	$(if $(EVALFILE),EVALFILE="$(EVALFILE)") cargo build --release --locked --bin chuhe
	cp "$(TARGET)/release/chuhe$(SUFFIX)" "$(EXE:$(SUFFIX)=)$(SUFFIX)"
