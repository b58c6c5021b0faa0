/** What is used of libmime, which has no types. */
declare module 'libmime' {
  const libmime: {
    /** Decodes the encoded words of RFC 2047 in a string. */
    decodeWords: (text: string) => string
  }
  export default libmime
}

declare module 'libmime/lib/charset.js' {
  const charset: {
    /** An unknown charset is read as UTF-8. */
    decode: (bytes: Buffer, name: string) => string
    normalizeCharset: (name: string) => string
  }
  export default charset
}
