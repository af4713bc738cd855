//! Blocks on a machine of another word size, laid out by the rules of C from what the compiler says of each field.

use super::Table;
use abi_stable::StableAbi;
use abi_stable::type_layout::{TLData, TLPrimitive, TypeLayout};
use std::collections::{BTreeMap, BTreeSet};

/// A type on a machine whose addresses have so many bytes: how long it is, and at multiples of what it lies.
///
/// A 64-bit number lies at multiples of eight, as everywhere but on 32-bit x86 outside of Windows.
fn extent(layout: &'static TypeLayout, word: usize) -> (usize, usize) {
    match layout.data() {
        TLData::Primitive(TLPrimitive::Array) => {
            let element = layout.phantom_fields().get(0).expect("an array has elements").layout();
            let (size, align) = extent(element, word);
            (layout.size() / element.size() * size, align)
        }
        TLData::Primitive(
            TLPrimitive::Usize
            | TLPrimitive::Isize
            | TLPrimitive::SharedRef
            | TLPrimitive::MutRef
            | TLPrimitive::ConstPtr
            | TLPrimitive::MutPtr,
        ) => (word, word),
        TLData::Primitive(_) => (layout.size(), layout.size()),
        TLData::Struct { .. } => {
            let (_, size, align) = places(layout, word);
            (size, align)
        }
        other => panic!("{} is no plain data: {other:?}", layout.full_type()),
    }
}

/// The place and length of each field of a struct, then the struct's own length and alignment.
fn places(layout: &'static TypeLayout, word: usize) -> (Vec<(&'static str, usize, usize)>, usize, usize) {
    let (mut places, mut end, mut most) = (Vec::new(), 0_usize, 1);
    for field in layout.get_fields().into_iter().flat_map(|fields| fields.to_vec()) {
        let (size, align) = if field.is_function() { (word, word) } else { extent(field.layout(), word) };
        let place = end.next_multiple_of(align);
        places.push((field.name(), place, size));
        (end, most) = (place + size, most.max(align));
    }
    (places, end.next_multiple_of(most), most)
}

fn is_pointer(layout: &'static TypeLayout) -> bool {
    matches!(layout.data(), TLData::Primitive(TLPrimitive::ConstPtr | TLPrimitive::MutPtr))
}

/// All structs that hang on a type: by fields, by elements, by what is pointed to.
fn structs(layout: &'static TypeLayout, found: &mut BTreeMap<usize, &'static TypeLayout>) {
    let below = match layout.data() {
        TLData::Struct { .. } if found.insert(std::ptr::from_ref(layout).addr(), layout).is_some() => return,
        TLData::Struct { fields } => fields.to_vec(),
        _ => layout.phantom_fields().to_vec(),
    };
    below.iter().filter(|field| !field.is_function()).for_each(|field| structs(field.layout(), found));
}

/// What would be elsewhere, or of another length, on a machine of 32 bits. A pointer may be shorter: what is behind it stays where it is.
fn differences(layout: &'static TypeLayout) -> Vec<String> {
    let name = layout.full_type();
    let ((wide, wide_size, _), (narrow, narrow_size, _)) = (places(layout, 8), places(layout, 4));
    assert_eq!(wide_size, layout.size(), "the rules of C are those of the compiler: {name}");
    let fields = layout.get_fields().into_iter().flat_map(|fields| fields.to_vec());
    let mut differences: Vec<String> = fields
        .zip(wide.iter().zip(&narrow))
        .filter(|(field, (wide, narrow))| {
            wide.1 != narrow.1 || (wide.2 != narrow.2 && !is_pointer(field.layout()))
        })
        .map(|(field, (wide, narrow))| format!("{name}.{}: {wide:?}, {narrow:?}", field.name()))
        .collect();
    if wide_size != narrow_size {
        differences.push(format!("{name}: {wide_size}, {narrow_size} bytes"));
    }
    differences
}

/// P7: every block and every record that any function of the table is given is the same on a machine of 32 bits.
#[test]
fn every_block_is_the_same_on_32_bits() {
    let mut found = BTreeMap::new();
    let fields = Table::LAYOUT.get_fields().unwrap().to_vec();
    for function in fields.iter().flat_map(|field| field.function_range().iter()) {
        function.param_type_layouts.iter().for_each(|parameter| structs(parameter(), &mut found));
    }
    let differences: Vec<String> = found.values().flat_map(|layout| differences(layout)).collect();
    assert_eq!(differences, Vec::<String>::new());
    // What functions are given, and what hangs on it, was looked at.
    let names: BTreeSet<String> = found.values().map(|layout| layout.full_type().to_string()).collect();
    for name in
        ["Act", "Judge", "OrdersReply", "MotionOutput", "Slice", "Shape", "ContactRecord", "OrderRecord"]
    {
        assert!(names.contains(name), "{name}: {names:?}");
    }
}

/// What must not be: a length of the machine's own, and two pointers side by side.
#[test]
fn what_depends_on_the_word_is_found() {
    #[repr(C)]
    #[derive(StableAbi)]
    struct Lengths {
        ptr: *const u8,
        len: usize,
    }
    #[repr(C)]
    #[derive(StableAbi)]
    struct Pointers {
        first: *const u8,
        second: *const u8,
        count: u64,
    }
    assert_eq!(
        differences(Lengths::LAYOUT),
        ["Lengths.len: (\"len\", 8, 8), (\"len\", 4, 4)", "Lengths: 16, 8 bytes"]
    );
    assert_eq!(differences(Pointers::LAYOUT)[0], "Pointers.second: (\"second\", 8, 8), (\"second\", 4, 4)");
}
