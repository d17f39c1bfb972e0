/* Messages between slices, SMDs and homes, handed to the judge one by one, and the sequences that most tests begin with. */
#include <stdio.h>
#include <string.h>
#include "verif/ref/judge/coherence.h"

void is_legal(void)
{
    if (j->verdict)
        fail_msg("%s", report.text);
}

void is_reported(const char *words)
{
    if (!j->verdict)
        fail_msg("'%s' is not reported", words);
    puts(report.text);
    if (!strstr(report.text, words))
        fail_msg("'%s' is reported, not '%s'", report.text, words);
    j->verdict = 0;
}

unsigned place(unsigned who)
{
    return who == HOST ? SMDS : who * CHANNELS;
}

line_be_t bytes(uint64_t low)
{
    return (line_be_t){{low}};
}

void line_asked(unsigned who, unsigned op)
{
    judge_line_asked(j, place(who), &(home_req_t){.op = (uint8_t)op, .id = 1, .line = LINE});
}

void line_granted(unsigned who, unsigned state)
{
    judge_line_granted(j, place(who), &(home_rsp_t){.id = 1, .state = (uint8_t)state});
}

void write_back(unsigned who, unsigned state, uint64_t be, bool keep)
{
    judge_line_asked(
        j, place(who),
        &(home_req_t){.op = HOME_WRITE_BACK, .line = LINE, .state = (uint8_t)state, .be = bytes(be), .keep = keep});
}

void line_probed(unsigned who, unsigned kind)
{
    judge_line_probed(j, place(who), &(home_probe_t){.kind = (uint8_t)kind, .line = LINE});
}

void line_given(unsigned who, unsigned state, uint64_t be)
{
    judge_line_given(j, place(who), &(home_ack_t){.line = LINE, .state = (uint8_t)state, .be = bytes(be)});
}

void block_asked(unsigned who, unsigned op, bool may_have_bytes, bool thin)
{
    judge_block_asked(j, place(who),
                      &(smd_req_t){.op = (uint8_t)op, .bytes = may_have_bytes, .line = LINE, .thin = thin});
}

void probed(unsigned who, unsigned kind, bool to_peer, bool keep)
{
    judge_home_probes(j, &(hmd_probe_t){.device = who, .probe = {.kind = (uint8_t)kind, .line = LINE}});
    judge_block_probed(j, place(who),
                       &(smd_probe_t){.kind = (uint8_t)kind, .line = LINE, .to_peer = to_peer, .keep = keep});
}

void ack(unsigned who, unsigned kind, unsigned state, bool sent, uint64_t mask)
{
    const smd_ack_t a = {
        .kind = (uint8_t)kind, .line = LINE, .state = (uint8_t)state, .sent = sent, .mask = bytes(mask)};
    judge_block_answered(j, place(who), &a);
    if (!j->verdict)
        judge_home_done(j, &(hmd_ack_t){.device = who, .ack = a});
}

void home_grants(unsigned who, unsigned state)
{
    judge_home_grants(j, &(hmd_data_t){.device = who, .data = {.grant = true, .line = LINE, .state = (uint8_t)state}});
}

void grant_comes(unsigned who, unsigned state)
{
    judge_block_came(j, place(who), &(smd_data_t){.grant = true, .line = LINE, .state = (uint8_t)state});
}

void line_comes(unsigned who, uint64_t line, uint64_t mask)
{
    judge_block_came(j, place(who), &(smd_data_t){.line = line, .mask = bytes(mask)});
}

void lines_come(unsigned who)
{
    for (unsigned k = 0; k < LINES_A_BLOCK; k++)
        line_comes(who, BLOCK + k, 0);
}

void peer_line(unsigned who, uint64_t line, uint64_t mask)
{
    judge_block_peer(j, place(who), &(smd_peer_t){.device = !who, .line = line, .mask = bytes(mask)});
}

void fetch(unsigned who, unsigned op, unsigned state, bool thin)
{
    block_asked(who, op, false, thin);
    home_grants(who, state);
    grant_comes(who, state);
    if (!thin)
        lines_come(who);
    ack(who, SMD_ARRIVED, 0, false, 0);
    is_legal();
}

void fill(unsigned who, unsigned op, unsigned state)
{
    line_asked(who, op);
    line_granted(who, state);
    is_legal();
}

void give_up(unsigned who, unsigned state, uint64_t mask)
{
    probed(who, PROBE_WRITE, false, false);
    line_probed(who, PROBE_WRITE);
    line_given(who, NMOESI_I, 0);
    if (mask)
        ack(who, SMD_BYTES, 0, false, mask);
    ack(who, SMD_DONE, state, false, 0);
    is_legal();
}

void store(unsigned who, unsigned state, uint64_t be)
{
    write_back(who, state, be, true);
    is_legal();
}
