import { expect } from '@playwright/test'
import { logIn, test } from './workspace.ts'

test.beforeEach(({ page, workspace }) => workspace.openApp(page))

test('a member logs in and sees the team', async ({ page }) => {
  await logIn(page)
  await expect(page.getByRole('listitem')).toHaveCount(12)
  await expect(page.getByText('Janet Weaver')).toBeVisible()
})

test('a locked account is told so', async ({ page }) => {
  await logIn(page, 'eve.holt+locked@reqres.in')
  await expect(page.getByRole('alert')).toHaveText('Account locked')
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

test('two failures in a row are survived', async ({ page, workspace }) => {
  await workspace.rules({ path: '/api/users', times: 2, scenario: 'status:503' })
  await logIn(page)
  await expect(page.getByRole('listitem')).toHaveCount(12)
  const lists = (await workspace.requests()).filter(({ method }) => method === 'GET')
  expect(lists.map(({ status }) => status)).toEqual([503, 503, 200])
})

test('a server that stays away is told in the end', async ({ page, workspace }) => {
  await workspace.rules({ path: '/api/users', scenario: 'reset' })
  await logIn(page)
  await expect(page.getByRole('alert')).toHaveText('The server cannot be reached')
})

test('a slow list shows that it is loading', async ({ page, workspace }) => {
  await workspace.rules({ path: '/api/users', scenario: 'slow:3000' })
  await logIn(page)
  await expect(page.getByRole('status')).toHaveText('Loading …')
  await expect(page.getByRole('listitem')).toHaveCount(12)
  await expect(page.getByRole('status')).toHaveText('')
})

test('names with markup stay text', async ({ page, workspace }) => {
  await workspace.rules({ path: '/api/users', scenario: 'xss' })
  let hasRun = false
  page.on('dialog', () => {
    hasRun = true
  })
  await logIn(page)
  await expect(page.getByRole('listitem').first()).toContainText('<')
  expect(hasRun).toBe(false)
})

test('somebody new is in this workspace only', async ({ page, workspace, request }) => {
  await request.post(`${workspace.api}/users`, {
    data: { first_name: 'Ada', last_name: 'Lovelace' }
  })
  await logIn(page)
  await expect(page.getByText('Ada Lovelace')).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(13)
})
