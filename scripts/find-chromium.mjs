import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { existing, findOnPath } from './setup.mjs'

/** The path of a Chromium or Chrome; undefined if there is none. */
export async function findChromium() {
  if (process.env.NONET_CHROMIUM) return existing(process.env.NONET_CHROMIUM)
  // The headless shell comes first: it renders the same pages with half the CPU time.
  const names = [
    ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
    ...['google-chrome', 'google-chrome-stable', 'chrome']
  ]
  const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
  return (
    names.map(findOnPath).find(Boolean) ??
    [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ...folders.map((name) =>
        join(process.env[name] ?? '', 'Google', 'Chrome', 'Application', 'chrome.exe')
      )
    ].find(existsSync)
  )
}
