/**
 * Whether an Authorization header carries an app's own JSON Web Token rather than a token that acts for an account.
 *
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/about-authentication-with-a-github-app
 */
export function isAppToken(authorization: string): boolean {
  return /^bearer ey[\w-]+\.[\w-]+\.[\w-]+$/i.test(authorization);
}
