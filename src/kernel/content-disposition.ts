/** RFC 6266, for downloads: an ASCII name for old clients, the full name for all others. */
export function attachmentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\w .()-]/g, '_')
  // Names that older versions stored may end in half a surrogate pair.
  const escaped = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${escaped}`
}
