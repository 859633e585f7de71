import { type Contract, type Node, operationsOf } from './contract.ts'
import { wholeMark } from './marks.ts'

/** Redoc names a security scheme without its description, so the name has to say that it is assumed. */
export function markSchemes(copy: Contract): void {
  const schemes = copy.components.securitySchemes ?? {}
  for (const [name, scheme] of Object.entries(schemes)) {
    if (!wholeMark(scheme)) continue
    const marked = `${name} (assumed)`
    schemes[marked] = scheme
    delete schemes[name]
    rename(copy.security, name, marked)
    for (const { node } of operationsOf(copy)) rename(node.security, name, marked)
  }
}

function rename(choices: unknown, from: string, to: string): void {
  for (const choice of (choices ?? []) as Node[]) {
    if (!(from in choice)) continue
    choice[to] = choice[from]
    delete choice[from]
  }
}
