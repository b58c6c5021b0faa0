import { test as base, type Page } from '@playwright/test'

const nonet = process.env.NONET_SCENARIOS_URL

export interface Workspace {
  /** Base address of the API, for the front end. */
  api: string
  /** What the next calls meet, such as `{ path: '/api/users', times: 2, scenario: 'status:503' }`. */
  rules: (...rules: object[]) => Promise<void>
  /** What the page has called so far, in order. */
  requests: () => Promise<{ method: string; path: string; status: number }[]>
  openApp: (page: Page) => Promise<void>
}

/** Every test gets a server of its own, as far as it can see. */
export const test = base.extend<{ workspace: Workspace }>({
  workspace: async ({ request }, use) => {
    const created = await request.post(`${nonet}/_workspaces`, { data: { seed: '7' } })
    const { id, base_url } = await created.json()
    const control = `${nonet}/_workspaces/${id}`
    const api = `${base_url}/api`
    await use({
      api,
      async rules(...rules) {
        await request.put(`${control}/rules`, { data: rules })
      },
      async requests() {
        const { requests } = await (await request.get(`${control}/requests`)).json()
        return requests
      },
      async openApp(page) {
        await page.goto(`/?api=${encodeURIComponent(api)}`)
      }
    })
    await request.delete(control)
  }
})

export async function logIn(page: Page, email = 'eve.holt@reqres.in'): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('cityslicka')
  await page.getByRole('button', { name: 'Log in' }).click()
}
