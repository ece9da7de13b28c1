; SBAT: by this section shim can refuse old generations of a component without a list of
; every hash. The first line is the format's own, the second is coretruth's; its generation
; rises by one when a fault lets Secure Boot be passed by (docs/secure-boot.md).

section .sbat rdata align=16
    incbin "build/app/sbat.csv"
