export interface ScanLimits {
  /** Levels of multiparts and messages in messages; deeper ones are parts without parts. */
  readonly depth: number
  readonly parts: number
  /** Of one header; the rest of it is skipped. */
  readonly headerBytes: number
  /** Of all headers of a message. */
  readonly allHeaderBytes: number
  /** Of all headers of a message. */
  readonly addresses: number
}

export const SCAN_LIMITS: ScanLimits = {
  depth: 50,
  parts: 1000,
  headerBytes: 256 * 1024,
  allHeaderBytes: 1024 * 1024,
  addresses: 10_000
}
