import type { Database } from '../database/database.ts'
import type { FileDriver } from './driver.ts'
import { registeredFolder, registerFolder } from './table.ts'

/**
 * Whether the location belongs to these tables; a new one is registered in them. Another process
 * may have registered another location, and this one may belong to other tables: its files must
 * not be removed then, because their references are not in these tables.
 */
export async function claimLocation(database: Database, driver: FileDriver): Promise<boolean> {
  const registered = await database.read(registeredFolder)
  const found = await driver.id()
  if (registered !== undefined) return registered === found
  if (found !== undefined && !(await isEmpty(driver))) return false
  const id = await driver.createId()
  return (await database.write(() => registerFolder(id))) === id
}

async function isEmpty(driver: FileDriver): Promise<boolean> {
  for (const prefix of driver.prefixes) if ((await driver.list(prefix)).length > 0) return false
  return true
}
