import { readFileSync } from 'node:fs'

/** Descriptors for files, databases and outgoing connections. */
const RESERVED_SHARE = 1 / 4
const MIN_RESERVED = 64
const MIN_CONNECTIONS = 16
/** On systems without a limit. */
const MOST = 1_000_000

/** Maximum number of open client connections of the process, by its limit of descriptors. */
export function maxConnections(): number {
  const descriptors = descriptorLimit()
  const reserved = Math.max(Math.ceil(descriptors * RESERVED_SHARE), MIN_RESERVED)
  return Math.max(descriptors - reserved, MIN_CONNECTIONS)
}

/** `ulimit -n`; Node raises the soft limit to the hard limit at its start. */
function descriptorLimit(): number {
  const limit = Number(limitText())
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, MOST) : MOST
}

function limitText(): string | number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  } catch {
    return limitOfReport()
  }
}

/** On systems without `/proc`, such as macOS. */
function limitOfReport(): string | number | undefined {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: string | number } }
  }
  return userLimits?.open_files?.soft
}
