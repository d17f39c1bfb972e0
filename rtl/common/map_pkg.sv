// The memory map: the channel, slice, bank and window of an address. All blocks use these functions, and no others. Page: docs/memory-map.md.
package map_pkg;
  import vl_cfg_pkg::*;
  import vl_dram_pkg::*;
  import vellum_pkg::*;

  // ---- windows: which physical addresses are memory ---------------------------------------------------------------

  // Is there memory at this address? For addresses of kernels without translation.
  function automatic logic in_memory(input kernel_t k, input xlen_t addr);
    return addr[63:PA_W] == '0 && addr >= k.mem_base && addr < k.mem_limit;
  endfunction
  // The same in lines, for walks and leaves.
  function automatic window_t window_of(input kernel_t k);
    return '{base: k.mem_base[PA_W-1:LINE_OFF_W], limit: k.mem_limit[PA_W-1:LINE_OFF_W]};
  endfunction

  // ---- channels and slices ---------------------------------------------------------------------------------------

  // From the lowest bit of a line address: ILV bits inside a channel's run, channel, the rest. Without the channel bits it is the
  // channel's own line number; the slice of a channel's L2 is the lowest bits of that.
  localparam int unsigned DEVICE_SLICES = CHANNELS * L2_SLICES;     // of a device: addresses are mapped by them
  localparam int unsigned SLICE_W = idx_w(DEVICE_SLICES);
  localparam int unsigned ILV_W = $clog2(INTERLEAVE_BYTES / LINE_BYTES);
  localparam int unsigned CHANNEL_BITS = $clog2(CHANNELS);
  localparam int unsigned HOST_BITS = $clog2(HOST_CHANNELS);
  localparam int unsigned SUB_BITS = $clog2(L2_SLICES);
  typedef logic [SLICE_W-1:0] slice_t;

  // Runs go round the channels, a device's or the host's: 2^bits of them. The channel of a line; the channel's own number of it, which is the line
  // address without the channel bits (same width, zeros on top).
  function automatic line_addr_t channel_among(input int unsigned bits, input line_addr_t line);
    return (line >> ILV_W) & ~(~line_addr_t'(0) << bits);
  endfunction
  function automatic line_addr_t local_among(input int unsigned bits, input line_addr_t line);
    line_addr_t low = line & line_addr_t'((1 << ILV_W) - 1);
    return ((line >> (ILV_W + bits)) << ILV_W) | low;
  endfunction
  function automatic line_addr_t local_line(input line_addr_t line);
    return local_among(CHANNEL_BITS, line);
  endfunction
  function automatic line_addr_t channel_of(input line_addr_t line);
    return channel_among(CHANNEL_BITS, line);
  endfunction
  function automatic line_addr_t host_channel_of(input line_addr_t line);
    return channel_among(HOST_BITS, line);
  endfunction

  // Slice number: channel * L2_SLICES + sub-slice.
  function automatic slice_t slice_among(input int unsigned bits, input line_addr_t line);
    line_addr_t sub = local_among(bits, line) & line_addr_t'(32'(L2_SLICES - 1));
    return slice_t'((channel_among(bits, line) << SUB_BITS) | sub);
  endfunction
  function automatic slice_t slice_of(input line_addr_t line);
    return slice_among(CHANNEL_BITS, line);
  endfunction

  // l2_index = folded: the lowest digit of a number is as large as the sets of an L2 slice, and all others are xored onto it. Twice is the number itself.
  localparam int unsigned INDEX_BITS = $clog2(L2_BYTES / (LINE_BYTES * L2_WAYS));
  function automatic line_addr_t indexed(input line_addr_t number);
    line_addr_t onto = '0;
    if (L2_INDEX == L2_INDEX_FOLDED)
      for (int unsigned i = larger(INDEX_BITS, 1); i < LINE_ADDR_W; i += larger(INDEX_BITS, 1)) onto ^= number >> i;
    return number ^ (onto & ~(~line_addr_t'(0) << INDEX_BITS));
  endfunction

  // A slice's own number of a line, and back.
  function automatic line_addr_t number_among(input int unsigned bits, input line_addr_t line);
    return indexed(local_among(bits, line) >> SUB_BITS);
  endfunction
  function automatic line_addr_t line_among(input int unsigned bits, input slice_t slice, input line_addr_t number);
    line_addr_t local_no = (indexed(number) << SUB_BITS) | (line_addr_t'(slice) & line_addr_t'(32'(L2_SLICES - 1)));
    line_addr_t channel = line_addr_t'(slice) >> SUB_BITS;
    return ((local_no >> ILV_W) << (ILV_W + bits)) | (channel << ILV_W) | (local_no & line_addr_t'((1 << ILV_W) - 1));
  endfunction

  // A key in its slice: the number of its line, and above it whatever else the key has; of KEY_W - bits - SUB_BITS bits.
  localparam int unsigned KEY_NUMBER_W = KEY_W - CHANNEL_BITS - SUB_BITS;
  typedef logic [KEY_NUMBER_W-1:0] key_number_t;
  function automatic line_key_t key_number_among(input int unsigned bits, input line_key_t key);
    logic [KEY_W:0] more = ((KEY_W + 1)'(key) >> LINE_ADDR_W) << (LINE_ADDR_W - bits - SUB_BITS);
    return line_key_t'(number_among(bits, key_line(key))) | line_key_t'(more);
  endfunction
  function automatic line_addr_t line_of_key_among(input int unsigned bits, input slice_t slice, input line_key_t number);
    return line_among(bits, slice, line_addr_t'(number) & (~line_addr_t'(0) >> (bits + SUB_BITS)));
  endfunction
  function automatic key_number_t key_number_of(input line_key_t key);
    return key_number_t'(key_number_among(CHANNEL_BITS, key));
  endfunction
  function automatic line_addr_t line_of_key(input slice_t slice, input key_number_t number);
    return line_of_key_among(CHANNEL_BITS, slice, line_key_t'(number));
  endfunction

  // The line with a local_line equal to the number of this line in its host channel: mem_sched and dram_ctrl of host memory receive it. With as many host channels
  // as channels it is the line itself. Bits above all rows may be lost.
  function automatic line_addr_t host_line(input line_addr_t line);
    line_addr_t low = line & line_addr_t'((1 << (ILV_W + HOST_BITS)) - 1);
    return ((line >> (ILV_W + HOST_BITS)) << (ILV_W + CHANNEL_BITS)) | low;
  endfunction

  // All there are (docs/blocks/memside.md, home = directory): the slices of all devices, device by device, then one of the last-level cache for each host channel;
  // channels with chips, the stacks of all devices, then the host's.
  localparam int unsigned SLICES = (HOME == HOME_FLAT) ? DEVICE_SLICES : DEVICES * DEVICE_SLICES + HOST_CHANNELS;
  localparam int unsigned MEM_CHANNELS = (HOME == HOME_FLAT) ? CHANNELS : DEVICES * CHANNELS + HOST_CHANNELS;

  // ---- the chips of a channel ------------------------------------------------------------------------------------

  // Two kinds of chips: 0 are those of `dram`; host channels have those of `host_dram`, kind 1, where these or their clock are others.
  localparam int unsigned DRAM_KINDS =
      (HOME == HOME_FLAT || (DRAM_SETS == 1 && DRAM_CLK_NUM == HOST_DRAM_CLK_NUM && DRAM_CLK_DEN == HOST_DRAM_CLK_DEN)) ? 1 : 2;
  function automatic int unsigned chip_kind(input int unsigned channel);
    return (HOME != HOME_FLAT && channel >= DEVICES * CHANNELS) ? DRAM_KINDS - 1 : 0;
  endfunction

  // From the lowest bit of local_line: bank group, line of the row, bank, row. Both kinds of chips have the same banks; widths of row and line are those of the larger kind.
  localparam int unsigned CH_BANKS = DRAM_BANK_GROUPS * DRAM_BANKS;
  localparam int unsigned CH_BANK_W = idx_w(CH_BANKS);
  localparam int unsigned CH_ROW_W = idx_w(larger(DRAM_ROWS, HOST_DRAM_ROWS));
  localparam int unsigned CH_LINES = DRAM_ROW_BYTES / LINE_BYTES;      // of a row
  localparam int unsigned HOST_CH_LINES = HOST_DRAM_ROW_BYTES / LINE_BYTES;
  localparam int unsigned CH_LINE_W = idx_w(larger(CH_LINES, HOST_CH_LINES));
  localparam int unsigned GROUP_BITS = $clog2(DRAM_BANK_GROUPS);
  localparam int unsigned ROW_LINE_BITS = $clog2(CH_LINES);
  localparam int unsigned HOST_ROW_LINE_BITS = $clog2(HOST_CH_LINES);
  localparam int unsigned BANK_BITS = $clog2(DRAM_BANKS);
  typedef logic [CH_BANK_W-1:0] bank_t;      // group * DRAM_BANKS + bank in the group
  typedef logic [CH_ROW_W-1:0] row_t;
  typedef logic [CH_LINE_W-1:0] row_line_t;

  // Address bits above the lines of a row, by kind.
  function automatic line_addr_t above_row_line(input int unsigned kind, input line_addr_t line);
    return local_line(line) >> (GROUP_BITS + ((kind == 0) ? ROW_LINE_BITS : HOST_ROW_LINE_BITS));
  endfunction
  function automatic row_line_t row_line_in(input int unsigned kind, input line_addr_t line);
    line_addr_t l = local_line(line) >> GROUP_BITS;
    return row_line_t'(l & line_addr_t'(32'((kind == 0) ? CH_LINES - 1 : HOST_CH_LINES - 1)));
  endfunction
  function automatic row_t row_in(input int unsigned kind, input line_addr_t line);
    line_addr_t l = above_row_line(kind, line) >> BANK_BITS;
    return row_t'(l & line_addr_t'(32'((kind == 0) ? DRAM_ROWS - 1 : HOST_DRAM_ROWS - 1)));
  endfunction
  // bank_map = permuted: the digits of the row, each as large as all banks, are xored onto group and bank, and the bank onto the group.
  function automatic bank_t bank_in(input int unsigned kind, input line_addr_t line);
    line_addr_t group = local_line(line) & line_addr_t'(32'(DRAM_BANK_GROUPS - 1));
    line_addr_t bank = above_row_line(kind, line) & line_addr_t'(32'(DRAM_BANKS - 1));
    line_addr_t onto = '0;
    if (BANK_MAP == BANK_MAP_PERMUTED) begin
      onto = bank << BANK_BITS;
      for (int unsigned i = 0; i < CH_ROW_W; i += CH_BANK_W) onto ^= line_addr_t'(row_in(kind, line)) >> i;
    end
    return bank_t'(((group << BANK_BITS) | bank) ^ (onto & line_addr_t'(32'(CH_BANKS - 1))));
  endfunction

  // Where a line lies in its channel: lines with the same place are the same line.
  typedef struct packed {
    bank_t bank;
    row_t row;
    row_line_t line;
  } place_t;
  function automatic place_t place_in(input int unsigned kind, input line_addr_t line);
    return '{bank: bank_in(kind, line), row: row_in(kind, line), line: row_line_in(kind, line)};
  endfunction
  function automatic place_t place_of(input line_addr_t line);
    return place_in(0, line);
  endfunction
endpackage
