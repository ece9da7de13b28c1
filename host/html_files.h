/* The files of host/html, which end up inside every report.html. */
#ifndef HOST_HTML_FILES_H
#define HOST_HTML_FILES_H

extern const char html_page_css[], html_page_js[];

#endif
