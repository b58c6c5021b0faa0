import { execFileSync } from 'node:child_process'
import { temporaryFolder } from './launcher.ts'

/** Only root on Linux may mount; elsewhere these tests are skipped. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0

/** A folder on a separate disk of this size, to test a full disk. */
export function smallDisk(megabytes: number): { path: string } & Disposable {
  const folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder.path])
  return {
    path: folder.path,
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder.path])
      folder[Symbol.dispose]()
    }
  }
}
