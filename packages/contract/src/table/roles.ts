import type { DeclaredBehaviour, DeclaredResource } from './behaviour.ts'

/** What an operation does, and to which records. */
export interface Role {
  /** Undefined if it acts on no record. */
  readonly resource: string | undefined
  readonly role: string
  /** What a program calls it beside the tag. */
  readonly name: string
}

/**
 * The roles of operations by operationId, as spec/behaviour declares them. A role is what an
 * operation does with its resource; an action such as `signIn` has no resource. That of
 * `cancelDueDateQrCode` is `{ resource: 'dueDateQrCode', role: 'cancel', name: 'cancelDueDate' }`.
 */
export function readRoles({ resources = {}, actions = {} }: DeclaredBehaviour): Map<string, Role> {
  const roles = new Map<string, Role>()
  for (const [resource, { operations, variant }] of Object.entries(resources)) {
    for (const [role, id] of Object.entries(operations))
      roles.set(id, { resource, role, name: methodName(role, variant) })
  }
  for (const { operations } of Object.values(actions)) {
    for (const [role, id] of Object.entries(operations))
      roles.set(id, { resource: undefined, role, name: role })
  }
  return roles
}

/** `read` is `get`, and `cancel` of the variant `DueDate` is `cancelDueDate`. */
function methodName(role: string, variant: DeclaredResource['variant'] = ''): string {
  const verb = role === 'read' ? 'get' : role
  return `${verb}${variant}`
}
