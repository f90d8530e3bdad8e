/* Rust's standard library takes random numbers from ProcessPrng of bcryptprimitives.dll, which Windows has since version 10 and
   Wine since 9.0. Older versions of Wine get this one, which hands on to RtlGenRandom. */
#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length)
{
    return SystemFunction036(buffer, (unsigned long)length);
}
