/** What a bearer token looks like (section 5; RFC 6750, section 2.1). */
export const TOKEN_FORM = /^[A-Za-z0-9\-._~+/]+=*$/;
