"""Which of QEMU's accelerators boots are run with."""
import os
import re


def accelerator():
    """kvm where it can be used. A host whose CPU shows neither VMX nor SVM may have
    /dev/kvm all the same: its guests then stop at the first instruction that nobody
    emulates, so it is not taken."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg"
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        flags = re.search(r"^flags\s*:.*\b(vmx|svm)\b", file.read(), re.M)
    return "kvm" if flags else "tcg"
