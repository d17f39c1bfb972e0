/* Names that are also inside the library. */
float fp_add(float a, float b);
int page_table_new(int a);
void ref_run(void);

float fp_add(float a, float b)
{
    return a + b;
}

int page_table_new(int a)
{
    return a;
}

void ref_run(void)
{
}
