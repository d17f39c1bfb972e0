      // Of either TLB: the copies of an entry are equal, and a scan is that of the invalidation that is under way, which has not been shown to be done.
      lemma_started: assert (started_q[0]);
      lemma_copies: assert (copied == '1);
      lemma_busy: assert (busy_q == (scanning || inv_done) && !(scanning && inv_done));
      lemma_scan: assert (!scanning || dut.scan_q.scope == INV_PAGE || dut.scan_q.scope == INV_ASID);
      lemma_pend: assert (!scanning || !pend_q || (dut.scan_q.scope == INV_PAGE && dut.scan_q.asid == asid_q && same_page(dut.scan_q.vpn, vpn_q, level_q)));
      lemma_pend_own: assert (!scanning || !pend_own_q || pend_q || (dut.scan_q.scope == INV_ASID && dut.scan_q.asid == asid_q));
      lemma_scan_set: assert (!scanning || dut.scan_q.scope == INV_PAGE || 32'(dut.scan_set) < SETS);
