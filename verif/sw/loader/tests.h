/* The groups of tests. Each adds its number of tests to *count and returns how many failed. */
#ifndef LOADER_TESTS_H
#define LOADER_TESTS_H
int flow_tests(unsigned *count);
int image_tests(unsigned *count);
int source_tests(unsigned *count);
int open_tests(unsigned *count);
int setting_tests(unsigned *count);
int memory_tests(unsigned *count);
int load_tests(unsigned *count);
int launch_tests(unsigned *count);
int range_tests(unsigned *count);
int argument_tests(unsigned *count);
int fault_tests(unsigned *count);
int beside_tests(unsigned *count);
int word_tests(unsigned *count);
#endif
