// Preloaded into a nonet process: writes a line for every module that it loads.

import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    writeSync(2, `read ${url}\n`)
    return next(url, context)
  }
})
