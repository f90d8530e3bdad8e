//! `chuhe-bindgen MODULE.wasm FOLDER`: equivalent to `wasm-bindgen --target web`, without the hundred dependencies of its test server.

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
        // The code that loads the module knows its path, and selects one of the two builds.
        let bindgen = bindgen.omit_default_module_path(true).typescript(true).out_name("module");
        // The names of functions are a seventh of the module's size.
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
