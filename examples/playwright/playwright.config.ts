import { defineConfig } from '@playwright/test'

const port = Number(process.env.APP_PORT ?? 4173)
const executablePath = process.env.NONET_CHROMIUM

export default defineConfig({
  testDir: './tests',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : []
    }
  },
  webServer: {
    command: 'node app/serve.mjs',
    env: { APP_PORT: String(port) },
    port
  }
})
