// Memory for a camera's pictures on a kernel that has no DMA heaps: what is asked for there is a memfd.  Loaded before
// all other libraries, it answers libcamera and picamera2 alike, and leaves every other call alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

int ioctl(int file, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list more;
	va_start(more, request);
	void *argument = va_arg(more, void *);
	va_end(more);

	if (request == DMA_HEAP_IOCTL_ALLOC) {
		struct dma_heap_allocation_data *wanted = argument;
		int memory = memfd_create("picture", MFD_CLOEXEC);
		if (memory < 0 || ftruncate(memory, wanted->len))
			return -1;
		wanted->fd = memory;
		return 0;
	}
	if (request == DMA_BUF_IOCTL_SYNC || request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B)
		return 0;
	if (!real)
		real = dlsym(RTLD_NEXT, "ioctl");
	return real(file, request, argument);
}
