//! `chuhe-bindgen MODULE.wasm FOLDER`: what `wasm-bindgen --target web` does, without the test server and its hundred libraries.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: chuhe-bindgen MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let generated = bindgen.input_path(module).web(true).and_then(|bindgen| {
        // Whoever loads the module knows where it lies and which of the two builds it takes.
        let bindgen = bindgen.omit_default_module_path(true).typescript(true).out_name("module");
        // Names of functions are a seventh of the module.
        bindgen.remove_name_section(true).remove_producers_section(true).generate(folder)
    });
    match generated {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chuhe-bindgen: {module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
