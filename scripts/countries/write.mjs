import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, prepare } from './prepare.mjs'

const today = new Date().toISOString().slice(0, 10)
for (const [name, text] of Object.entries(prepare(today))) writeFileSync(join(FOLDER, name), text)
