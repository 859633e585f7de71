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
  const mainComponents = readComponents(main)
  const otherComponents = readComponents(other)
  const components: Record<string, Node> = {}
  for (const kind of Object.keys({ ...mainComponents, ...otherComponents }))
    components[kind] = joinNodes(mainComponents[kind], otherComponents[kind], `components/${kind}`)

  // Everything else, such as the title, is that of the first.
  const paths = joinNodes(main.paths as Node, other.paths as Node, 'paths')
  return { ...main, paths, components }
}

function readComponents({ components = {} }: Node): Readonly<Record<string, Node>> {
  return components as Readonly<Record<string, Node>>
}

/** The entries of both maps. Throws if they have different ones of the same name. */
function joinNodes(main: Node = {}, other: Node = {}, place: string): Node {
  // A path has one place only, even if both describe it alike.
  const canShare = (name: string) => place !== 'paths' && isDeepStrictEqual(main[name], other[name])
  const clash = Object.keys(other).find((name) => name in main && !canShare(name))
  if (clash !== undefined) throw new Error(`two contracts have different ${place}/${clash}`)
  return { ...main, ...other }
}
