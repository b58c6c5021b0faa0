import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BUILDER = fileURLToPath(new URL('../../examples/portfolio/build.mjs', import.meta.url))

/** What the example prints; `code` is its exit code. */
export interface BuildRun {
  code: number
  output: string
}

/** Runs the example as its user does. */
export function buildPortfolio(
  folder: string,
  variables: Readonly<Record<string, string>>
): Promise<BuildRun> {
  const env = { PATH: process.env.PATH, ...variables }
  return new Promise((resolve) => {
    execFile(process.execPath, [BUILDER, folder], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
    )
  })
}
