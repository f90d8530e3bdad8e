/* Rust's standard library gets random numbers from ProcessPrng of bcryptprimitives.dll, which exists in Windows since version 10 and
   in Wine since 9.0. This replacement for older versions of Wine calls RtlGenRandom. */
#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length)
{
    return SystemFunction036(buffer, (unsigned long)length);
}
