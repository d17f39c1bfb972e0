#ifndef LOADER_TESTS_H
#define LOADER_TESTS_H
/* Each adds its number of tests to *count and returns how many failed. */
int flow_tests(unsigned *count);
int image_tests(unsigned *count);
int device_tests(unsigned *count);
#endif
