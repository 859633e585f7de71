import { todos } from './todos-contract.ts'

/** The contract of todos, whose list has additional parameters. */
export function listing(parameters: Readonly<Record<string, object>>) {
  const { get, ...rest } = todos.paths['/todos']
  const more = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }))
  return {
    ...todos,
    paths: {
      ...todos.paths,
      '/todos': { ...rest, get: { ...get, parameters: [...get.parameters, ...more] } },
    },
  }
}
