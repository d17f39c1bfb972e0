// The memory map: where an address lives. Whatever asks for a channel, a slice, a bank or a window asks here. Page: docs/memory-map.md.
package map_pkg;
  import vl_cfg_pkg::*;
  import vl_dram_pkg::*;
  import vellum_pkg::*;

  // ---- windows: which physical addresses are memory ---------------------------------------------------------------

  // Is there memory at this address? Without translation, for what a kernel may reach.
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
  localparam int unsigned SUB_BITS = $clog2(L2_SLICES);
  typedef logic [SLICE_W-1:0] slice_t;

  // The channel's own number of a line: the line address without the channel bits (same width, zeros on top).
  function automatic line_addr_t local_line(input line_addr_t line);
    line_addr_t low = line & line_addr_t'((1 << ILV_W) - 1);
    return ((line >> (ILV_W + CHANNEL_BITS)) << ILV_W) | low;
  endfunction

  // Runs go round the channels, of host memory as well.
  function automatic line_addr_t channel_of(input line_addr_t line);
    return (line >> ILV_W) & line_addr_t'(32'(CHANNELS - 1));
  endfunction
  function automatic line_addr_t host_channel_of(input line_addr_t line);
    return (line >> ILV_W) & line_addr_t'(32'(HOST_CHANNELS - 1));
  endfunction

  // Slice number: channel * L2_SLICES + sub-slice.
  function automatic slice_t slice_of(input line_addr_t line);
    line_addr_t sub = local_line(line) & line_addr_t'(32'(L2_SLICES - 1));
    return slice_t'((channel_of(line) << SUB_BITS) | sub);
  endfunction

  // A slice's own number of a line, and back.
  function automatic line_addr_t number_of(input line_addr_t line);
    return local_line(line) >> SUB_BITS;
  endfunction
  function automatic line_addr_t line_of(input slice_t slice, input line_addr_t number);
    line_addr_t local_no = (number << SUB_BITS) | (line_addr_t'(slice) & line_addr_t'(32'(L2_SLICES - 1)));
    line_addr_t channel = line_addr_t'(slice) >> SUB_BITS;
    return ((local_no >> ILV_W) << (ILV_W + CHANNEL_BITS)) | (channel << ILV_W) | (local_no & line_addr_t'((1 << ILV_W) - 1));
  endfunction

  // A key in its slice: the number of its line, and above it whatever else the key has.
  localparam int unsigned NUMBER_W = LINE_ADDR_W - CHANNEL_BITS - SUB_BITS;
  localparam int unsigned KEY_NUMBER_W = KEY_W - CHANNEL_BITS - SUB_BITS;
  typedef logic [KEY_NUMBER_W-1:0] key_number_t;
  function automatic key_number_t key_number_of(input line_key_t key);
    logic [KEY_W:0] more = ((KEY_W + 1)'(key) >> LINE_ADDR_W) << NUMBER_W;
    return key_number_t'(number_of(key_line(key))) | key_number_t'(more);
  endfunction
  function automatic line_addr_t line_of_key(input slice_t slice, input key_number_t number);
    return line_of(slice, line_addr_t'(number[NUMBER_W-1:0]));
  endfunction

  // All there are (docs/blocks/memside.md, home = directory): the slices of all devices and the host's last-level cache, device by device; channels with chips, the
  // stacks of all devices, then the host's.
  localparam int unsigned SLICES = (HOME == HOME_FLAT) ? DEVICE_SLICES : (DEVICES + 1) * DEVICE_SLICES;
  localparam int unsigned MEM_CHANNELS = (HOME == HOME_FLAT) ? CHANNELS : DEVICES * CHANNELS + HOST_CHANNELS;

  // ---- the chips of a channel ------------------------------------------------------------------------------------

  // From the lowest bit of local_line: bank group, line of the row, bank, row.
  localparam int unsigned CH_BANKS = DRAM_BANK_GROUPS * DRAM_BANKS;
  localparam int unsigned CH_BANK_W = idx_w(CH_BANKS);
  localparam int unsigned CH_ROW_W = idx_w(DRAM_ROWS);
  localparam int unsigned CH_LINES = DRAM_ROW_BYTES / LINE_BYTES;      // of a row
  localparam int unsigned CH_LINE_W = idx_w(CH_LINES);
  localparam int unsigned GROUP_BITS = $clog2(DRAM_BANK_GROUPS);
  localparam int unsigned ROW_LINE_BITS = $clog2(CH_LINES);
  localparam int unsigned BANK_BITS = $clog2(DRAM_BANKS);
  typedef logic [CH_BANK_W-1:0] bank_t;      // group * DRAM_BANKS + bank in the group
  typedef logic [CH_ROW_W-1:0] row_t;
  typedef logic [CH_LINE_W-1:0] row_line_t;

  function automatic bank_t bank_of(input line_addr_t line);
    line_addr_t l = local_line(line);
    line_addr_t group = l & line_addr_t'(32'(DRAM_BANK_GROUPS - 1));
    line_addr_t bank = (l >> (GROUP_BITS + ROW_LINE_BITS)) & line_addr_t'(32'(DRAM_BANKS - 1));
    return bank_t'((group << BANK_BITS) | bank);
  endfunction
  function automatic row_line_t row_line_of(input line_addr_t line);
    line_addr_t l = local_line(line) >> GROUP_BITS;
    return row_line_t'(l & line_addr_t'(32'(CH_LINES - 1)));
  endfunction
  function automatic row_t row_of(input line_addr_t line);
    line_addr_t l = local_line(line) >> (GROUP_BITS + ROW_LINE_BITS + BANK_BITS);
    return row_t'(l & line_addr_t'(32'(DRAM_ROWS - 1)));
  endfunction

  // Where a line lies in its channel: lines with the same place are the same line.
  typedef struct packed {
    bank_t bank;
    row_t row;
    row_line_t line;
  } place_t;
  function automatic place_t place_of(input line_addr_t line);
    return '{bank: bank_of(line), row: row_of(line), line: row_line_of(line)};
  endfunction
endpackage
