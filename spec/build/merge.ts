import { isDeepStrictEqual } from 'node:util'
import type { Node } from '../lint/marks.ts'

/**
 * Merges the paths and components of a second bundled contract into the first, for tools that use
 * both.
 *
 * @throws {Error} if both have the same path, or different components with the same name.
 *
 * @example
 * const both = mergeContracts(openapi, guide)
 */
export function mergeContracts<Contract extends Node>(main: Contract, other: Node): Contract {
  const own = componentsOf(main)
  const others = componentsOf(other)
  const components: Record<string, Node> = {}
  for (const kind of Object.keys({ ...own, ...others }))
    components[kind] = joined(own[kind], others[kind], `components/${kind}`)

  const paths = joined(main.paths as Node, other.paths as Node, 'paths')
  return { ...main, paths, components }
}

function componentsOf({ components = {} }: Node): Readonly<Record<string, Node>> {
  return components as Readonly<Record<string, Node>>
}

function joined(own: Node = {}, others: Node = {}, place: string): Node {
  const canShare = (name: string) => place !== 'paths' && isDeepStrictEqual(own[name], others[name])
  const clash = Object.keys(others).find((name) => name in own && !canShare(name))
  if (clash !== undefined) throw new Error(`two contracts have different ${place}/${clash}`)
  return { ...own, ...others }
}
