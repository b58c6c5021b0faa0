import { spawn } from 'node:child_process'

/** The program that opens a URL in the user's browser. */
function openerOf(url: string, platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open', url]
  // `start` reads its first quoted argument as a title; cmd splits commands at `&`.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url.replaceAll('&', '^&')]
  return ['xdg-open', url]
}

/** Resolves to the reason why no browser could be opened; not before a browser that keeps running. */
export function openBrowser(url: string): Promise<string | undefined> {
  const [program, ...args] = openerOf(url, process.platform)
  // In a group of its own, so that Ctrl+C in the terminal does not end the browser.
  const child = spawn(program, args, {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    windowsVerbatimArguments: true
  })
  child.unref()
  return new Promise((resolve) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'ENOENT' ? `${program} is not installed` : message)
    )
    child.once('exit', (code) => resolve(code === 0 ? undefined : `${program} failed`))
  })
}
