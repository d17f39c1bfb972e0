/* The judge's own table of the legal changes of a block with directories (home = directory): written from the UMH paper's table, docs/coherence.md and
 * docs/home-seam.md, and not generated as the machine's is. It receives every message when it is transferred. Party: a device, or DEVICES, the host with its last-level
 * cache; slices are numbered as the memory side numbers them, SMDs as their slices. */
#ifndef SIM_C_REF_JUDGE_COHERENCE_H
#define SIM_C_REF_JUDGE_COHERENCE_H
#include "sim_c/ref/judge_state.h"

judge_coherence_t *judge_coherence_new(void);
void judge_coherence_free(judge_coherence_t *c);
/* The machine is reset: no block is held. */
void judge_coherence_reset(judge_t *j);

/* Between a slice (the last-level cache's, from SMDS on) and its home. */
void judge_line_asked(judge_t *j, unsigned slice, const home_req_t *q); /* reads and write-backs */
void judge_line_granted(judge_t *j, unsigned slice, const home_rsp_t *a);
void judge_line_probed(judge_t *j, unsigned slice, const home_probe_t *p);
void judge_line_given(judge_t *j, unsigned slice, const home_ack_t *a);
/* A slice holds a line so that it may store coherently; it is probed by who reads, and keeps its bytes. */
bool judge_line_alone(judge_t *j, unsigned slice, uint64_t line);
bool judge_line_read(judge_t *j, unsigned slice, uint64_t line);

/* For an SMD: the messages that it sends and takes, and the change of state that it shows. */
void judge_block_asked(judge_t *j, unsigned smd, const smd_req_t *q);
void judge_block_probed(judge_t *j, unsigned smd, const smd_probe_t *p);
void judge_block_answered(judge_t *j, unsigned smd, const smd_ack_t *a);
void judge_block_peer(judge_t *j, unsigned smd, const smd_peer_t *p);
void judge_block_came(judge_t *j, unsigned smd, const smd_data_t *d);
void judge_block_moved(judge_t *j, unsigned smd, unsigned from, unsigned to);

/* For an HMD: grants, probes, arrivals of grants, and the holders in its directory. */
void judge_home_grants(judge_t *j, const hmd_data_t *d);
void judge_home_probes(judge_t *j, const hmd_probe_t *p);
void judge_home_done(judge_t *j, const hmd_ack_t *a);
/* Its entry of a block has become this. */
void judge_home_knows(judge_t *j, const hmd_dir_t *d);
#endif
