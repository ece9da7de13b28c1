/* /init of the Linux peer: says that user space is here, prints the kernel's log, powers off.
 * The prompt is what a shell of the initramfs would print first; a real shell takes longer. */
#include <stdio.h>
#include <sys/klog.h>
#include <sys/reboot.h>
#include <sys/types.h>
#include <unistd.h>

enum { LOG_BYTES = 1 << 21, KLOG_READ_ALL = 3 };

static char text[LOG_BYTES];

static void say(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(STDOUT_FILENO, bytes, length);

        if (done <= 0)
            return;
        bytes += done;
        length -= (size_t)done;
    }
}

int main(void)
{
    static const char prompt[] = "PEER-SHELL # \n", end[] = "PEER-END\n";
    int length;

    say(prompt, sizeof(prompt) - 1);
    length = klogctl(KLOG_READ_ALL, text, sizeof(text));
    say(text, length > 0 ? (size_t)length : 0);
    say(end, sizeof(end) - 1);
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}
