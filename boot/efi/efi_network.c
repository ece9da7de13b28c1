/* PXE Base Code [uefi 24.3]: the packets that DHCP left tell server and folder. */
#include "boot/efi/efi_network.h"

#include "boot/efi/efi_console.h"
#include "boot/info/loader_text.h"

enum { PATH_BYTES = 192, MAC_BYTES = 6, MOST_FOLDER_BYTES = 127 };

/* The last offer that names a file counts: proxy and boot servers come after DHCP's. */
static const EFI_PXE_BASE_CODE_DHCPV4_PACKET *find_offer(const EFI_PXE_BASE_CODE_MODE *mode)
{
    if (mode->PxeReplyReceived && mode->PxeReply.Dhcpv4.BootpBootFile[0])
        return &mode->PxeReply.Dhcpv4;
    if (mode->ProxyOfferReceived && mode->ProxyOffer.Dhcpv4.BootpBootFile[0])
        return &mode->ProxyOffer.Dhcpv4;
    return mode->DhcpAckReceived ? &mode->DhcpAck.Dhcpv4 : NULL;
}

/* The folder of the boot file: "lab/coretruth.efi" gives "lab/". */
static void put_folder(char *path, const EFI_PXE_BASE_CODE_DHCPV4_PACKET *offer)
{
    size_t folder = 0;
    for (size_t i = 0; i < MOST_FOLDER_BYTES && offer->BootpBootFile[i]; i++) {
        path[i] = (char)offer->BootpBootFile[i];
        if (path[i] == '/')
            folder = i + 1;
    }
    path[folder] = 0;
}

static void put_mac(char *path, const EFI_PXE_BASE_CODE_DHCPV4_PACKET *ack)
{
    static const char digits[] = "0123456789abcdef";
    char text[MAC_BYTES * 3];
    for (unsigned i = 0; i < MAC_BYTES; i++) {
        text[3 * i] = digits[ack->BootpHwAddr[i] >> 4];
        text[3 * i + 1] = digits[ack->BootpHwAddr[i] & 15];
        text[3 * i + 2] = i + 1 < MAC_BYTES ? ':' : 0;
    }
    loader_text_append(path, PATH_BYTES, text);
}

static EFI_STATUS read_file(EFI_PXE_BASE_CODE *pxe, EFI_IP_ADDRESS *server, char *path, char *text)
{
    UINT64 bytes = EFI_BOOT_CONFIG_BYTES - 1;
    EFI_STATUS status = pxe->Mtftp(pxe, EFI_PXE_BASE_CODE_TFTP_READ_FILE, text, FALSE, &bytes, NULL,
                                   server, (UINT8 *)path, NULL, FALSE);
    text[status == EFI_SUCCESS && bytes < EFI_BOOT_CONFIG_BYTES ? bytes : 0] = 0;
    return status;
}

static void say_file(struct efi_boot *boot, const char *what, const char *path)
{
    char line[PATH_BYTES + 32] = "";
    loader_text_append(line, sizeof line, what);
    loader_text_append(line, sizeof line, path);
    efi_console_say(boot, line);
}

static void read_words(struct efi_boot *boot, EFI_PXE_BASE_CODE *pxe, char *text)
{
    char path[PATH_BYTES] = "", one[PATH_BYTES] = "";
    const EFI_PXE_BASE_CODE_DHCPV4_PACKET *offer = find_offer(pxe->Mode);
    EFI_IP_ADDRESS server = {0};

    if (!offer)
        return;
    put_folder(path, offer);
    for (unsigned i = 0; i < sizeof server.v4.Addr; i++)
        server.v4.Addr[i] = offer->BootpSiAddr[i];
    loader_text_append(one, sizeof one, path);
    loader_text_append(one, sizeof one, "options-");
    put_mac(one, &pxe->Mode->DhcpAck.Dhcpv4);
    loader_text_append(one, sizeof one, ".cfg");
    loader_text_append(path, sizeof path, "options.cfg");
    const char *from = one;
    EFI_STATUS status = read_file(pxe, &server, one, text);
    if (status != EFI_SUCCESS && status != EFI_TIMEOUT) {
        from = path;
        status = read_file(pxe, &server, path, text);
    }
    if (status != EFI_SUCCESS) {
        say_file(boot, "no options over the network, the run goes on without: ", path);
        efi_console_say_status(boot, "the server's answer", status);
        return;
    }
    say_file(boot, "options over the network from ", from);
    if (!loader_text_append_words(boot->network_words, sizeof boot->network_words,
                                  loader_text_quoted_options(text), ""))
        boot->info.is_cmdline_cut = true;
}

void efi_network_read_words(struct efi_boot *boot, EFI_HANDLE device)
{
    static const EFI_GUID guid = EFI_PXE_BASE_CODE_PROTOCOL_GUID;
    EFI_PXE_BASE_CODE *pxe = NULL;
    char *text = NULL;

    if (boot->services->HandleProtocol(device, (EFI_GUID *)&guid, (void **)&pxe) != EFI_SUCCESS ||
        !pxe->Mode || !pxe->Mode->Started || pxe->Mode->UsingIpv6)
        return;
    if (boot->services->AllocatePool(EfiLoaderData, EFI_BOOT_CONFIG_BYTES, (void **)&text) !=
        EFI_SUCCESS)
        return;
    read_words(boot, pxe, text);
    boot->services->FreePool(text);
}
