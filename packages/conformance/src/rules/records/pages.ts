import type { OperationView } from '../../model/operation-view.ts'

/** Whether a list takes cursor and limit. */
export function isPaged({ queryParameters }: OperationView): boolean {
  return ['cursor', 'limit'].every((name) => queryParameters.some((it) => it.name === name))
}
