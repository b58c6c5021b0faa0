// Preloaded into a nonet process: writes its peak of memory to a file when it exits.

import { appendFileSync } from 'node:fs'

process.on('exit', () => {
  const { maxRSS } = process.resourceUsage()
  appendFileSync(process.env.TELL_MEMORY_TO ?? '', `${Math.round(maxRSS / 1024)}\n`)
})
