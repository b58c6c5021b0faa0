// Preloaded into a nonet: tells every module that it reads, a line each.

import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    writeSync(2, `read ${url}\n`)
    return next(url, context)
  }
})
