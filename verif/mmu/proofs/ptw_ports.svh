// Inputs of the harnesses of ptw, for ptw_env.svh. The last ones of a module.
    input logic         clk_i,
    input root_t        root_i,
    input window_t      window_i,
    input walk_policy_t policy_i,
    input logic [1:0]   miss_valid_i,
    input miss_t [1:0]  miss_i,
    input logic         mem_req_ready_i,
    input logic         mem_rsp_valid_i,
    input mem_rsp_t     mem_rsp_i,
    input logic         inv_valid_i,
    input inv_t         inv_i
