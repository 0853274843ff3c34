//! Arrays of the C interface of Arrow whose offsets lie where Arrow's own reader may not look at them.
//!
//! The interface lets a buffer begin at any address, and libraries that send frames from process to process (pickles with
//! buffers of their own, dask) make use of it. The reader copies such buffers, but to learn how long the texts of a column are
//! it looks at their offsets before, and a number is not to be read at an odd address.

use std::ffi::c_void;
use std::ptr;

use arrow_array::ffi::FFI_ArrowArray;
use arrow_schema::DataType;

/// The same array with copies of the offsets and lengths that begin at an odd address; itself if there are none.
///
/// # Safety
///
/// The array must be valid, and of this type.
pub unsafe fn aligned(array: FFI_ArrowArray, kind: &DataType) -> FFI_ArrowArray {
    // SAFETY: as the caller promises.
    if unsafe { is_aligned(&array, kind) } {
        return array;
    }
    let mut copies = Vec::new();
    // SAFETY: as the caller promises; what the shadow points to lives as long as `original`, which goes with it.
    let mut shadow = unsafe { shadow(&array, kind, &mut copies) };
    shadow.private_data = Box::into_raw(Box::new(Owned { original: array, copies })).cast();
    shadow.release = Some(release);
    shadow
}

/// What a shadow points to.
struct Owned {
    /// Held until nobody looks at its buffers any longer: dropping it lets its producer free them.
    #[allow(dead_code, reason = "held for its memory")]
    original: FFI_ArrowArray,
    #[allow(dead_code, reason = "held for their memory")]
    copies: Vec<Held>,
}

/// Memory that a shadow points into. The contents of vectors stay where they are when this is moved.
#[allow(dead_code, reason = "held for its memory")]
enum Held {
    Numbers(Vec<u64>),
    Buffers(Vec<*const c_void>),
    Children(Vec<*mut FFI_ArrowArray>),
    /// A shadow inside, from `Box::into_raw`.
    Inside(*mut FFI_ArrowArray),
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Self::Inside(array) = self {
            // SAFETY: it comes from `Box::into_raw`, and nothing else frees it.
            drop(unsafe { Box::from_raw(*array) });
        }
    }
}

unsafe extern "C" fn release(array: *mut FFI_ArrowArray) {
    // SAFETY: whoever releases an array owns it, and it was made by `aligned`, which put a box there.
    unsafe {
        let array = &mut *array;
        drop(Box::from_raw(array.private_data.cast::<Owned>()));
        array.release = None;
    }
}

/// The buffer that is looked at before it would be copied: its number and its bytes. None if there is none.
fn looked_at(array: &FFI_ArrowArray, kind: &DataType) -> Option<(usize, usize)> {
    let kind = if let DataType::Dictionary(keys, _) = kind { keys } else { kind };
    let ends = usize::try_from(array.length.checked_add(array.offset)?.checked_add(1)?).ok()?;
    let buffers = usize::try_from(array.n_buffers).ok()?;
    match kind {
        _ if array.length == 0 => None,
        DataType::Utf8 | DataType::Binary if buffers == 3 => Some((1, ends * size_of::<i32>())),
        DataType::LargeUtf8 | DataType::LargeBinary if buffers == 3 => Some((1, ends * size_of::<i64>())),
        // No texts, the views, as many buffers as there are lengths, the lengths.
        DataType::Utf8View | DataType::BinaryView if buffers > 3 => {
            Some((buffers - 1, (buffers - 3) * size_of::<i64>()))
        }
        _ => None,
    }
}

/// The arrays inside an array, with their types.
///
/// # Safety
///
/// The array must be valid, and of this type.
unsafe fn children<'a>(array: &FFI_ArrowArray, kind: &'a DataType) -> Vec<(*mut FFI_ArrowArray, &'a DataType)> {
    let kinds: Vec<&DataType> = match kind {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::Map(item, _) => vec![item.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        _ => Vec::new(),
    };
    let count = usize::try_from(array.n_children).unwrap_or(0).min(kinds.len());
    // SAFETY: a valid array has as many children as it says. The table of them may lie anywhere.
    kinds
        .into_iter()
        .take(count)
        .enumerate()
        .map(|(at, kind)| (unsafe { array.children.add(at).read_unaligned() }, kind))
        .collect()
}

unsafe fn buffer(array: &FFI_ArrowArray, at: usize) -> *const c_void {
    // SAFETY: the caller asks for a buffer that a valid array has.
    unsafe { array.buffers.add(at).read_unaligned() }
}

unsafe fn is_aligned(array: &FFI_ArrowArray, kind: &DataType) -> bool {
    // SAFETY: the array is valid and of this type, and so is everything inside.
    unsafe {
        let own =
            looked_at(array, kind).is_none_or(|(at, _)| buffer(array, at).addr().is_multiple_of(align_of::<i64>()));
        let words = match (array.dictionary.as_ref(), kind) {
            (Some(words), DataType::Dictionary(_, values)) => is_aligned(words, values),
            _ => true,
        };
        own && words
            && children(array, kind)
                .into_iter()
                .all(|(child, kind)| child.as_ref().is_none_or(|child| is_aligned(child, kind)))
    }
}

/// An array that looks at the same memory, but for what is copied. Nobody may release it: it owns nothing.
unsafe fn shadow(array: &FFI_ArrowArray, kind: &DataType, held: &mut Vec<Held>) -> FFI_ArrowArray {
    let mut shadow = FFI_ArrowArray {
        length: array.length,
        null_count: array.null_count,
        offset: array.offset,
        n_buffers: array.n_buffers,
        n_children: array.n_children,
        buffers: array.buffers,
        children: array.children,
        dictionary: array.dictionary,
        release: None,
        private_data: ptr::null_mut(),
    };
    // SAFETY: the array is valid and of this type, and so is everything inside; what is pointed to is held.
    unsafe {
        if let Some((at, bytes)) = looked_at(array, kind).filter(|(at, _)| !buffer(array, *at).is_null()) {
            let mut copy = vec![0_u64; bytes.div_ceil(size_of::<u64>())];
            ptr::copy_nonoverlapping(buffer(array, at).cast::<u8>(), copy.as_mut_ptr().cast::<u8>(), bytes);
            let count = usize::try_from(array.n_buffers).unwrap_or(0);
            let mut buffers: Vec<*const c_void> = (0..count).map(|at| buffer(array, at)).collect();
            buffers[at] = copy.as_ptr().cast();
            shadow.buffers = buffers.as_mut_ptr();
            held.extend([Held::Numbers(copy), Held::Buffers(buffers)]);
        }
        let mut inside = |array: &FFI_ArrowArray, kind: &DataType| {
            let made = Box::into_raw(Box::new(self::shadow(array, kind, held)));
            held.push(Held::Inside(made));
            made
        };
        let own = children(array, kind).into_iter();
        let mut own: Vec<_> =
            own.map(|(child, kind)| child.as_ref().map_or(child, |child| inside(child, kind))).collect();
        if let (Some(words), DataType::Dictionary(_, values)) = (array.dictionary.as_ref(), kind) {
            shadow.dictionary = inside(words, values);
        }
        if !own.is_empty() {
            shadow.children = own.as_mut_ptr();
            held.push(Held::Children(own));
        }
    }
    shadow
}
