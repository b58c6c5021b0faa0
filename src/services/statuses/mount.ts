import type { Kernel, Mounted } from '../../kernel/service.ts'
import type { StatusOptions } from './settings.ts'
import { statusStore } from './store/store.ts'

export function mountStatuses(kernel: Kernel, _options: StatusOptions): Mounted {
  statusStore(kernel.database, kernel.now, () => {})
  return {}
}
