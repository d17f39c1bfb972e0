/*
 * Needleman-Wunsch alignment: score[y][x] is the best of score[y-1][x-1] + match, score[y-1][x] - gap and
 * score[y][x-1] - gap. The matrix has (rows + 1) x (cols + 1) cells, row 0 and column 0 given. A launch does one
 * anti-diagonal of square tiles, a group a tile of SIDE x SIDE cells with SIDE threads, which walk the tile's own
 * anti-diagonals in local memory.
 */
#ifndef SIDE
#define SIDE 16
#endif
#define PITCH (SIDE + 2) /* SIDE + 1 cells a row, and one more so that an anti-diagonal spreads over the banks */

__kernel void nw_tiles(__global const uchar *a, __global const uchar *b, __global int *score, uint rows, uint cols,
                       uint diagonal, uint first, int gap)
{
    __local int cell[(SIDE + 1) * PITCH];
    uint lid = get_local_id(0);
    uint tile_y = first + get_group_id(0), tile_x = diagonal - tile_y;
    uint y0 = tile_y * SIDE, x0 = tile_x * SIDE; /* the row above and the column left of the tile */
    uint pitch = cols + 1;

    if (x0 + lid + 1 <= cols)
        cell[lid + 1] = score[y0 * pitch + x0 + lid + 1];
    if (y0 + lid + 1 <= rows)
        cell[(lid + 1) * PITCH] = score[(y0 + lid + 1) * pitch + x0];
    if (lid == 0)
        cell[0] = score[y0 * pitch + x0];

    uchar letter = x0 + lid < cols ? b[x0 + lid] : 0;
    for (uint d = 0; d < 2 * SIDE - 1; d++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint y = d - lid; /* thread lid owns the tile's column lid */
        if (y < SIDE && y0 + y < rows && x0 + lid < cols) {
            __local int *left_above = &cell[y * PITCH + lid];
            int match = left_above[0] + (a[y0 + y] == letter ? 3 : -1);
            left_above[PITCH + 1] = max(match, max(left_above[1], left_above[PITCH]) - gap);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x0 + lid < cols)
        for (uint y = 0; y < SIDE && y0 + y < rows; y++)
            score[(y0 + y + 1) * pitch + x0 + lid + 1] = cell[(y + 1) * PITCH + lid + 1];
}
