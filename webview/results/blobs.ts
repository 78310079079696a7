/** An address of the page's own for bytes that the extension has sent; nothing is fetched. */
export function blobAddress(base64: string, mimeType: string, onDispose: (run: () => void) => void): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
  onDispose(() => URL.revokeObjectURL(address));
  return address;
}
