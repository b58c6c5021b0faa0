import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Kernel } from '../../../kernel/service.ts'

/** Uploads that are being received or imported. */
export function uploadFolder({ folder }: Pick<Kernel, 'folder'>): string {
  return join(folder, 'incoming')
}

/** What a killed process left; to be called at the start. Most starts load nothing for it. */
export async function removeLeftovers(kernel: Pick<Kernel, 'folder'>): Promise<void> {
  const folder = uploadFolder(kernel)
  if (!existsSync(folder)) return
  const { removeStaleUploads } = await import('../../../kernel/upload.ts')
  await removeStaleUploads(folder)
}
