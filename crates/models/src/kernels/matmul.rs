//! Matrix products over slices with strides.

/// A matrix inside a slice: element (i, j) is `values[i * row_stride + j * column_stride]`. Rows may overlap, which
/// makes a convolution a plain product.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> View<'a> {
    /// The whole slice, row after row.
    ///
    /// # Panics
    /// If the slice does not hold exactly `rows * columns` numbers.
    pub fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        assert_eq!(values.len(), rows * columns, "a {rows} x {columns} matrix");
        Self { values, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// Rows of `columns` neighbouring numbers that start `row_stride` apart, overlapping where that is fewer.
    ///
    /// # Panics
    /// If the last element lies outside the slice.
    pub fn strided(values: &'a [f32], rows: usize, columns: usize, row_stride: usize) -> Self {
        assert!(fits(values.len(), rows, columns, row_stride), "{rows} x {columns} rows {row_stride} apart");
        Self { values, rows, columns, row_stride, column_stride: 1 }
    }

    /// A row of a view that is not transposed.
    pub fn row(&self, at: usize) -> &'a [f32] {
        debug_assert_eq!(self.column_stride, 1);
        &self.values[at * self.row_stride..][..self.columns]
    }

    /// The same numbers with rows and columns exchanged; nothing moves.
    pub fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// A matrix to write to: rows of neighbouring numbers, which never overlap.
#[derive(Debug)]
pub struct ViewMut<'a> {
    values: &'a mut [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
}

impl<'a> ViewMut<'a> {
    /// The whole slice, row after row.
    ///
    /// # Panics
    /// If the slice does not hold exactly `rows * columns` numbers.
    pub fn new(values: &'a mut [f32], rows: usize, columns: usize) -> Self {
        assert_eq!(values.len(), rows * columns, "a {rows} x {columns} matrix");
        Self { values, rows, columns, row_stride: columns }
    }

    /// Rows that start `row_stride` apart, such as one head's share of every row.
    ///
    /// # Panics
    /// If the last element lies outside the slice, or rows would overlap.
    pub fn strided(values: &'a mut [f32], rows: usize, columns: usize, row_stride: usize) -> Self {
        assert!(fits(values.len(), rows, columns, row_stride), "{rows} x {columns} rows {row_stride} apart");
        assert!(row_stride >= columns, "rows of {columns} that start {row_stride} apart overlap");
        Self { values, rows, columns, row_stride }
    }

    pub fn row_mut(&mut self, at: usize) -> &mut [f32] {
        &mut self.values[at * self.row_stride..][..self.columns]
    }
}

/// Whether the product replaces what is there or is added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accumulate {
    Overwrite,
    Add,
}

/// `out = scale * a b`, or `out += scale * a b`, on the calling thread.
///
/// The bits of one row of the result depend on how many rows are asked for at once (`gemm` chooses its blocks by the
/// shape): a caller that promises the same bits for every batch size must ask with shapes that do not depend on it.
///
/// # Panics
/// If the shapes do not fit together.
pub fn matmul(out: ViewMut<'_>, into: Accumulate, a: View<'_>, b: View<'_>, scale: f32) {
    let ViewMut { values, rows, columns, row_stride } = out;
    assert!(
        (rows, columns, a.columns) == (a.rows, b.columns, b.rows),
        "a {} x {} matrix times a {} x {} one into {rows} x {columns}",
        a.rows,
        a.columns,
        b.rows,
        b.columns
    );
    let signed = |stride: usize| stride as isize;
    let (a_ptr, a_strides) = (a.values.as_ptr(), (signed(a.column_stride), signed(a.row_stride)));
    let (b_ptr, b_strides) = (b.values.as_ptr(), (signed(b.column_stride), signed(b.row_stride)));
    // The kernels write columns, so that rows are asked for as the columns of the transposed product.
    let turned = row_stride > 1;
    let (rows, columns, out_strides) =
        if turned { (columns, rows, (signed(row_stride), 1)) } else { (rows, columns, (1, signed(row_stride))) };
    let ((left, left_strides), (right, right_strides)) = if turned {
        ((b_ptr, (b_strides.1, b_strides.0)), (a_ptr, (a_strides.1, a_strides.0)))
    } else {
        ((a_ptr, a_strides), (b_ptr, b_strides))
    };
    // SAFETY: each view was checked when it was made: every element it names lies inside its slice. `out` is borrowed
    // mutably, so it shares no memory with `a` or `b`, and its rows do not overlap. Transposing all three names the same
    // elements.
    unsafe {
        gemm_f32::gemm::f32::get_gemm_fn()(
            rows,
            columns,
            a.columns,
            values.as_mut_ptr(),
            out_strides.0,
            out_strides.1,
            into == Accumulate::Add,
            left,
            left_strides.0,
            left_strides.1,
            right,
            right_strides.0,
            right_strides.1,
            1.0,
            scale,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

/// Whether the last number of the last row lies inside `length` numbers.
fn fits(length: usize, rows: usize, columns: usize, row_stride: usize) -> bool {
    if rows == 0 || columns == 0 {
        return true;
    }
    (rows - 1).checked_mul(row_stride).and_then(|start| start.checked_add(columns)).is_some_and(|end| end <= length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_product_by_hand() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let b = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
        let mut out = [1.0; 4];
        matmul(ViewMut::new(&mut out, 2, 2), Accumulate::Overwrite, View::new(&a, 2, 3), View::new(&b, 3, 2), 1.0);
        assert_eq!(out, [58.0, 64.0, 139.0, 154.0]);
        matmul(ViewMut::new(&mut out, 2, 2), Accumulate::Add, View::new(&a, 2, 3), View::new(&b, 3, 2), 0.5);
        assert_eq!(out, [87.0, 96.0, 208.5, 231.0]);
        matmul(
            ViewMut::new(&mut out, 2, 2),
            Accumulate::Overwrite,
            View::new(&b, 3, 2).transposed(),
            View::new(&a, 2, 3).transposed(),
            1.0,
        );
        assert_eq!(out, [58.0, 139.0, 64.0, 154.0]);
    }

    #[test]
    #[should_panic(expected = "overlap")]
    fn rows_to_write_never_overlap() {
        ViewMut::strided(&mut [0.0; 10], 3, 4, 3);
    }

    #[test]
    #[should_panic(expected = "3 x 4 rows 4 apart")]
    fn a_view_outside_its_slice_is_refused() {
        View::strided(&[0.0; 11], 3, 4, 4);
    }

    proptest! {
        #[test]
        fn products_of_overlapping_and_transposed_views(
            rows in 0_usize..20, inner in 1_usize..40, columns in 1_usize..20, stride in 1_usize..50, seed in 0_u32..1000,
        ) {
            let number = |i: usize| ((i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) % 17) as f32 - 8.0;
            let a: Vec<f32> = (0..rows * stride + inner).map(number).collect();
            let b: Vec<f32> = (0..columns * inner).map(|i| number(i + 7)).collect();
            let mut out = vec![0.0; rows * columns];
            let (left, right) = (View::strided(&a, rows, inner, stride), View::new(&b, columns, inner).transposed());
            matmul(ViewMut::new(&mut out, rows, columns), Accumulate::Overwrite, left, right, 2.0);
            for i in 0..rows {
                for j in 0..columns {
                    // Small integers, so that the product is exact whatever the order of additions.
                    let expected: f32 = (0..inner).map(|k| 2.0 * a[i * stride + k] * b[j * inner + k]).sum();
                    prop_assert_eq!(out[i * columns + j], expected);
                }
            }
        }
    }
}
