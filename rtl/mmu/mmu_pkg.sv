// Address translation: payloads between the load/store unit, fetch, the TLBs and the page-table walker. Page: docs/translation.md.
`include "vl_skip.svh"
package mmu_pkg;
  import vl_cfg_pkg::*;
  import vellum_pkg::*;
  import mem_pkg::*;

  // Sv48: four levels of nine bits above a 4 KB page. Physical pages are as wide as virtual ones here: PTE bits above must be 0.
  localparam int unsigned VPN_W = PA_W - 12;
  typedef logic [VPN_W-1:0] vpn_t;
  typedef logic [VPN_W-1:0] ppn_t;
  typedef logic [1:0] level_t;               // of a leaf: 0 4 KB, 1 2 MB, 2 1 GB, 3 512 GB

  // The address space of a core (control registers).
  typedef struct packed {
    logic sv48;                              // 0: Bare, addresses are physical
    asid_t asid;
    ppn_t ppn;                               // of the root table
  } root_t;

  typedef enum logic [1:0] {ACC_LOAD = 0, ACC_STORE = 1, ACC_FETCH = 2} access_e;

  // A leaf as the TLBs keep it: rights of user accesses with A and D taken into account (Svade: a clear A allows nothing, a clear D
  // no store).
  typedef struct packed {
    ppn_t ppn;                               // as in the PTE
    level_t level;
    logic glob;
    logic r, w, x;
  } leaf_t;

  // The bits of a page number that a leaf of this level leaves to the address. By parts: a shift by the level is many more gates.
  function automatic vpn_t page_bits(input level_t level);
    vpn_t bits = '0;
    if (level >= 2'd1) bits[8:0] = '1;
    if (level >= 2'd2) bits[17:9] = '1;
    if (level == 2'd3) bits[26:18] = '1;
    return bits;
  endfunction

  // The frame of a page: the low bits of the page number come from the address (spec: PPN splicing).
  function automatic ppn_t splice(input vpn_t vpn, input leaf_t leaf);
    return (leaf.ppn & ~page_bits(leaf.level)) | (vpn & page_bits(leaf.level));
  endfunction

  // Does the page of size `level` at a hold b?
  function automatic logic same_page(input vpn_t a, input vpn_t b, input level_t level);
    return ((a ^ b) & ~page_bits(level)) == '0;
  endfunction

  function automatic logic permits(input leaf_t leaf, input access_e access);
    case (access)
      ACC_LOAD: return leaf.r;
      ACC_STORE: return leaf.w;
      default: return leaf.x;
    endcase
  endfunction

  // tlb: a look-up, and its result in the next cycle.
  typedef struct packed {
    vpn_t vpn;
    logic store;
    warp_t warp;                             // the same at all ports of a cycle
  } look_t;
  typedef struct packed {
    logic hit;
    ppn_t ppn;                               // 0 without a hit
  } found_t;

  // Why a walk found no leaf that may be used.
  typedef enum logic [1:0] {WALK_OK = 0, WALK_PAGE = 1, WALK_ACCESS = 2} walk_e;

  // lsu, itlb -> tlb_mshr: a page that is not there, and the warp that needs it.
  typedef struct packed {
    vpn_t vpn;
    access_e access;
    warp_t warp;
  } miss_t;

  // l1i -> itlb: the page of a line fill, and back. itlb_look_t.fill: 0 or 1; warp: of the instruction that missed.
  typedef struct packed {
    logic fill;
    vpn_t vpn;
    warp_t warp;
  } itlb_look_t;
  typedef struct packed {
    walk_e result;
    ppn_t ppn;                               // 0 unless WALK_OK
  } ifound_t;

  // tlb_mshr -> tlb, itlb and all that wait: a walk has ended.
  localparam int unsigned WALK_W = idx_w(TLB_MSHRS);
  typedef logic [WALK_W-1:0] walk_t;
  typedef logic [TLB_MSHRS-1:0] walk_set_t;
  function automatic walk_t walk_index(input walk_set_t one);
    walk_t k = '0;
    `VL_WHEN(one != '0) for (int unsigned i = 0; i < TLB_MSHRS; i++) if (one[i]) k |= walk_t'(i);
    return k;
  endfunction
  function automatic walk_set_t walk_lowest(input walk_set_t of);
    return of & (~of + 1'b1);
  endfunction
  typedef struct packed {
    walk_t walk;                             // which MSHR
    walk_e result;                           // not OK: for every access
    vpn_t vpn;
    asid_t asid;
    leaf_t leaf;
    warp_t warp;                             // of the miss that began it (locality_entries above 0, else 0)
  } walked_t;

  // tlb -> warp_locality, common_page (their pages in docs/blocks): a hit in the main array, and an entry of it that had to go.
  typedef logic [idx_w(TLB_ENTRIES)-1:0] tlb_entry_t;
  typedef struct packed {
    warp_t warp;
    logic [1:0] depth;                       // age in its set before the hit, at most 3
    tlb_entry_t entry;                       // which entry of the main array
  } page_touch_t;
  typedef struct packed {
    warp_t of;                               // that touched it last
    vpn_t vpn;
  } page_out_t;

  // The translate seam (docs/translate-seam.md): a page to translate with its requester, and the result.
  typedef struct packed {
    core_t core;
    walk_t id;                               // which MSHR of the core
    asid_t asid;
    vpn_t vpn;
    access_e access;                         // access and warp of the miss that began it
    warp_t warp;
  } translate_req_t;
  typedef struct packed {
    walk_t id;
    walk_e result;                           // not OK: for every access
    leaf_t leaf;
  } translate_rsp_t;

  // The shared L2 TLB (docs/blocks/l2_tlb.md): an answer on its way to a core, and a leaf to keep.
  typedef struct packed {
    core_t core;
    translate_rsp_t rsp;
  } translate_ans_t;
  typedef struct packed {
    asid_t asid;
    vpn_t vpn;
    leaf_t leaf;
    core_t core;                             // of the miss that began the walk
    warp_t warp;
  } l2_fill_t;

  // Fill tokens (docs/blocks/fill_tokens.md): a look-up of the L2 TLB, and which warps of each core of a kernel may fill it.
  typedef struct packed {
    core_t core;
    warp_t warp;
    asid_t asid;
    logic hit;                               // in the bypass cache too
  } l2_look_t;
  typedef struct packed {
    logic all;
    logic [WARP_W:0] tokens;                 // the warps below; 0 with `all`
  } tokens_t;

  // The shared walker (docs/blocks/walker.md): a walk to begin, and how it has ended.
  typedef logic [idx_w(WALKS)-1:0] shared_walk_t;
  typedef logic [WALKS-1:0] shared_set_t;
  function automatic shared_walk_t shared_index(input shared_set_t one);
    shared_walk_t k = '0;
    `VL_WHEN(one != '0) for (int unsigned i = 0; i < WALKS; i++) if (one[i]) k |= shared_walk_t'(i);
    return k;
  endfunction
  function automatic shared_set_t shared_lowest(input shared_set_t of);
    return of & (~of + 1'b1);
  endfunction
  typedef struct packed {
    shared_walk_t walk;
    core_t core;                             // with its root and memory
    asid_t asid;
    vpn_t vpn;
    access_e access;                         // of the miss that began it
  } walk_req_t;
  typedef struct packed {
    shared_walk_t walk;
    walk_e result;                           // not OK: for every access
    leaf_t leaf;
  } walk_rsp_t;

  // walker -> walk_cache (docs/blocks/walk_cache.md): a PTE to read, by its line and place there. mem_rsp_t answers it, with `read` in the low bits of its id.
  typedef struct packed {
    shared_walk_t read;                      // which one, of those under way
    level_t level;
    asid_t asid;
    access_e access;                         // of the walk
    line_addr_t line;
    logic [PTE_OFF_W-1:0] place;
  } pte_read_t;

  // A miss of a core that has ended (docs/blocks/stall_count.md).
  typedef struct packed {
    asid_t asid;
    logic [5:0] warps;                       // that have joined it, at most 63
  } stalled_t;

  // Shootdown, to all parts at once; they answer when nothing older can be used.
  typedef enum logic [1:0] {INV_ALL = 0, INV_ASID = 1, INV_PAGE = 2} inv_e;
  typedef struct packed {
    inv_e scope;
    asid_t asid;                             // ASID, PAGE. Global leaves stay with ASID, and go with PAGE
    vpn_t vpn;                               // PAGE: any page of a larger leaf will do
  } inv_t;

  // Does an invalidation cover a leaf (or the walk for it, which may become any)?
  function automatic logic covers(input inv_t inv, input vpn_t vpn, input asid_t asid, input logic glob, input level_t level);
    case (inv.scope)
      INV_ALL: return 1'b1;
      INV_ASID: return inv.asid == asid && !glob;
      default: return (inv.asid == asid || glob) && same_page(inv.vpn, vpn, level);
    endcase
  endfunction

  // Where a PTE is.
  typedef struct packed {
    ppn_t base;                              // of its table
    logic [8:0] index;
  } pte_addr_t;

  // A PTE after the checks that hold for every access; by the level at which it was read. None of the three: a leaf that may be used.
  typedef struct packed {
    logic [3:0] pointer;                     // continue one level down
    logic [3:0] page;                        // page fault
    logic [3:0] access;                      // a leaf with a frame outside of the window
    ppn_t ppn;
    logic glob, r, w, x;
  } step_t;

  // Core -> ctrl: threads that wait for the host to map their page (T12).
  typedef struct packed {
    logic fetch;
    logic access;                            // the walk of the lowest thread ended with WALK_ACCESS: else a page fault
    logic store;                             // store, SC, AMO
    warp_t warp;
    pc_t pc;                                 // of the instruction
    logic [PA_W-1:0] value;                  // the lowest thread's virtual address
    thread_mask_t threads;
  } page_fault_t;

  // ctrl -> vm_ctl: an access to a register from 0x200 on.
  typedef struct packed {
    logic write;
    logic [12:0] addr;                       // register number: byte address / 8
    logic [63:0] data;
  } vm_reg_t;
  localparam int unsigned PF_DEPTH = 16;     // page faults that wait for the host
  localparam int unsigned FAULTERS = 2 * CORES;   // what reports them: lsu of each core, then l1i of each core

  // Their events at the last edge.
  typedef struct packed {
    logic [5:0] tlb_lookups;
    logic [5:0] tlb_hits;
    logic [5:0] tlb_hits_super;              // of these
    logic [5:0] tlb_misses;
    logic [5:0] tlb_denied;                  // of these: there, but does not allow it
    logic tlb_fills;
    logic tlb_evicts;
    logic tlb_invs;
  } ev_tlb_t;
  typedef struct packed {
    logic seam_asks;
    logic seam_answers;
    logic seam_dropped;                      // of these
    logic [6:0] seam_busy;
    logic seam_stalls;
  } ev_seam_port_t;
  typedef struct packed {
    logic [3:0] l2_tlb_lookups;
    logic [3:0] l2_tlb_hits;
    logic [3:0] l2_tlb_hits_super;           // of these
    logic [3:0] l2_tlb_hits_bypass;          // of hits, too
    logic [3:0] l2_tlb_misses;
    logic [3:0] l2_tlb_denied;               // of these: there, but does not permit it
    logic [3:0] l2_tlb_stalls;
    logic l2_tlb_fills;
    logic l2_tlb_fills_bypass;               // of these
    logic l2_tlb_evicts;
    logic l2_tlb_invs;
    logic [3:0] l2_tlb_lookups_k0;           // by kernel slot, 0 to 3
    logic [3:0] l2_tlb_lookups_k1;
    logic [3:0] l2_tlb_lookups_k2;
    logic [3:0] l2_tlb_lookups_k3;
    logic [3:0] l2_tlb_hits_k0;              // of these
    logic [3:0] l2_tlb_hits_k1;
    logic [3:0] l2_tlb_hits_k2;
    logic [3:0] l2_tlb_hits_k3;
    logic [3:0] l2_tlb_bypass_k0;            // of hits, those in the bypass cache
    logic [3:0] l2_tlb_bypass_k1;
    logic [3:0] l2_tlb_bypass_k2;
    logic [3:0] l2_tlb_bypass_k3;
  } ev_l2_tlb_t;
  typedef struct packed {
    logic [3:0] l2m_misses;
    logic l2m_merges;
    logic l2m_walks;
    logic [6:0] l2m_busy;
    logic [12:0] l2m_waits;
    logic l2m_reserved;
  } ev_l2_tlb_mshr_t;
  typedef struct packed {
    logic walker_reads_l3;
    logic walker_reads_l2;
    logic walker_reads_l1;
    logic walker_reads_l0;
    logic [6:0] walker_shared;
    logic [6:0] walker_shared_l3;            // of these, by level
    logic [6:0] walker_shared_l2;
    logic [6:0] walker_shared_l1;
    logic walker_same_line;
    logic walker_stall_mem;
    logic [6:0] walker_busy;
  } ev_walker_t;
  typedef struct packed {
    logic wc_lookups;
    logic wc_hits_l3;                        // of these, by level of the read
    logic wc_hits_l2;
    logic wc_hits_l1;
    logic wc_hits_l0;
    logic wc_misses;
    logic wc_denied;                         // a line that is here, and a PTE in it that does not serve
    logic wc_fills;
    logic wc_evicts;
    logic wc_stalls;
    logic [6:0] wc_busy;
  } ev_walk_cache_t;
  typedef struct packed {
    logic tokens_more;
    logic tokens_less;
    logic [6:0] tokens_k0;                   // by kernel slot, 0 to 3, while tokens are on
    logic [6:0] tokens_k1;
    logic [6:0] tokens_k2;
    logic [6:0] tokens_k3;
    logic tokens_on;
  } ev_fill_tokens_t;
  typedef struct packed {
    logic bypass_l3;                         // reads of this level pass by
    logic bypass_l2;
    logic bypass_l1;
    logic bypass_l0;
    logic bypass_decided;                    // a comparison has ended
  } ev_walk_bypass_t;
  typedef struct packed {
    logic itlb_lookups;
    logic itlb_hits;
    logic itlb_fills;
    logic [1:0] itlb_faults;
    logic itlb_stall;
  } ev_itlb_t;
  typedef struct packed {
    logic [1:0] ptw_misses;
    logic [1:0] ptw_merges;
    logic [1:0] ptw_walks;
    logic ptw_ends;
    logic ptw_page_faults;
    logic ptw_access_faults;
    logic ptw_super;
    logic [6:0] ptw_busy;
    logic [6:0] ptw_restarts;
  } ev_tlb_mshr_t;
  typedef struct packed {
    logic ptw_reads_l3;
    logic ptw_reads_l2;
    logic ptw_reads_l1;
    logic ptw_reads_l0;
    logic [6:0] ptw_shared;
    logic [6:0] ptw_shared_l3;               // of these, by level
    logic [6:0] ptw_shared_l2;
    logic [6:0] ptw_shared_l1;
    logic ptw_same_line;
    logic ptw_kept;
    logic ptw_stall_mem;
  } ev_ptw_t;
endpackage
