export function login(name, token) {
  const session = open(name, token);
  console.log(`logged in: ${name} ${token}`);
  return session;
}
