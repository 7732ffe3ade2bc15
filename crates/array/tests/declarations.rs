//! C declarations of kernel arguments.

use opencl_array::Error;
use opencl_array::dtype::{DType, Declaration, split_list};
use proptest::prelude::*;

fn parsed(text: &str) -> (String, String, bool) {
    let Declaration { type_name, name, pointer, .. } = Declaration::parse(text).unwrap();
    (type_name, name, pointer)
}

fn expect(text: &str, type_name: &str, name: &str, pointer: bool) {
    assert_eq!(parsed(text), (type_name.to_owned(), name.to_owned(), pointer), "{text:?}");
}

#[test]
fn qualifiers_and_spaces_say_nothing() {
    expect("float *x", "float", "x", true);
    expect("  __global   float*x  ", "float", "x", true);
    expect("global const float * restrict x", "float", "x", true);
    expect("volatile float const *const __restrict__ x_1", "float", "x_1", true);
    expect("const float\n n", "float", "n", false);
    expect("struct particle *p", "particle", "p", true);
    expect("float x[3]", "float", "x", true);
    expect("std::complex<float> *z", "std::complex<float>", "z", true);
    expect("int /* how many, of all */ n // the end", "int", "n", false);
}

#[test]
fn words_of_integer_types_stand_in_any_order() {
    expect("int unsigned n", "unsigned int", "n", false);
    expect("long unsigned int *n", "unsigned long", "n", true);
    expect("signed char c", "char", "c", false);
    expect("short int s", "short", "s", false);
    expect("unsigned n", "unsigned", "n", false);
    expect("long long n", "long long", "n", false);
    assert_eq!(DType::from_c_name("long long"), None);
    assert_eq!(DType::from_c_name("int unsigned long"), Some(DType::U64));
    assert_eq!(DType::from_c_name("unsigned"), Some(DType::U32));
    assert_eq!(DType::from_c_name("bool"), None);
    for dtype in DType::ALL.into_iter().filter(|&dtype| dtype != DType::Bool) {
        assert_eq!(DType::from_c_name(dtype.c_name()), Some(dtype));
    }
}

#[test]
fn what_is_no_declaration_is_refused() {
    let bad = [
        "",
        " ",
        "x",
        "float",
        "float x;",
        "float *a*",
        "*x",
        "float 9x",
        "float **x",
        "float &x",
        "f x[2",
        "a (b)",
    ];
    for text in bad {
        let error = Declaration::parse(text).unwrap_err();
        assert!(matches!(error, Error::Declaration { .. }), "{text:?}: {error}");
    }
    for text in ["__local float *x", "constant int *x"] {
        assert!(matches!(Declaration::parse(text).unwrap_err(), Error::AddressSpace { .. }), "{text:?}");
    }
    let error = Declaration::parse("my_type x").unwrap().dtype(|_| None).unwrap_err();
    assert_eq!(error.to_string(), "unknown type 'my_type'");
}

#[test]
fn lists_are_split_at_their_commas() {
    let list = Declaration::parse_list("float *x, /* , */ const unsigned int n,\n my_type *s").unwrap();
    let names: Vec<&str> = list.iter().map(|declaration| declaration.name.as_str()).collect();
    assert_eq!(names, ["x", "n", "s"]);
    let dtype = list[2].dtype(|name| (name == "my_type").then_some(DType::I16)).unwrap();
    assert_eq!(dtype, DType::I16);
    assert_eq!(split_list("pair<int, int> p, int n").len(), 2);
    assert!(Declaration::parse_list("float *x,").is_err());
}

proptest! {
    #[test]
    fn declarations_come_back(
        before in prop::sample::subsequence(vec!["const", "__global", "volatile"], 0..=3),
        base in prop::sample::select(vec!["float", "uint", "my_type", "unsigned long", "double4"]),
        pointer: bool,
        after in prop::sample::subsequence(vec!["const", "restrict"], 0..=2),
        name in "[a-z_][a-z0-9_]{2,8}1",
        gap in "[ \t\n]{1,3}",
    ) {
        let mut words = before;
        words.push(base);
        if pointer {
            words.push("*");
            words.extend(after);
        }
        words.push(&name);
        prop_assert_eq!(parsed(&words.join(&gap)), (base.to_owned(), name.clone(), pointer));
    }

    #[test]
    fn no_text_breaks_the_parser(text in "[a-z0-9_*\\[\\]<>, /;&\n]{0,30}") {
        if let Ok(declaration) = Declaration::parse(&text) {
            prop_assert!(text.contains(&declaration.name));
        }
        prop_assert!(!split_list(&text).is_empty());
    }
}
