/** A browser without a screen: keeps cookies, follows nothing, posts the forms that it was shown. */
export interface Visitor {
  /** Values by name, with the path where it is not the whole host: `name/path`. */
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Posts as a form of our pages would, without the token. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  /** Opens the page, and posts to `path` with the token of its forms. */
  submit(page: string, path: string, fields: Record<string, string>): Promise<Response>;
  /** Signs in on `/sign-in`. */
  signIn(email: string, password: string): Promise<Response>;
}

export function createVisitor(url: string): Visitor {
  const cookies = new Map<string, string>();

  async function send(
    path: string,
    init: Omit<RequestInit, 'headers'>,
    headers: Record<string, string> = {},
  ) {
    const target = new URL(path, url);
    const cookie = [...cookies]
      .flatMap(([key, value]) => {
        const [, name = '', below = ''] = /^([^/]+)(.*)$/.exec(key) ?? [];
        return target.pathname.startsWith(below) ? [`${name}=${value}`] : [];
      })
      .join('; ');
    const response = await fetch(target, {
      ...init,
      headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const below = /; path=(\/[^;]+)/i.exec(line)?.[1] ?? '';
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(`${name}${below}`);
      else cookies.set(`${name}${below}`, value);
    }
    return response;
  }

  const post: Visitor['post'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields) }, { origin: url, ...headers });

  const submit: Visitor['submit'] = async (page, path, fields) => {
    const shown = await (await send(page, {})).text();
    return post(path, { csrf: csrfOf(shown), ...fields });
  };

  return {
    cookies,
    get: (path, headers = {}) => send(path, {}, headers),
    post,
    submit,
    signIn: (email, password) => submit('/sign-in', '/sign-in', { email, password }),
  };
}

/** The token in the forms of a page. */
export function csrfOf(page: string): string {
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
