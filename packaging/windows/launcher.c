/* One of the programs: starts Python, which lies beside it, with the script that stands for it. WINDOW: without a console. */
#include <windows.h>
#include <wchar.h>

__declspec(dllimport) int Py_Main(int, wchar_t **);

#define LONGEST 32768 /* of a path, with the manifest's longPathAware */

static int start(int count, wchar_t **words) {
    static wchar_t folder[LONGEST], script[LONGEST];
    GetModuleFileNameW(NULL, folder, LONGEST);
    wchar_t *end = wcsrchr(folder, L'\\');
    if (end) *end = 0;
    swprintf(script, LONGEST, L"%ls\\start\\%ls", folder, SCRIPT);
    wchar_t **all = calloc(count + 5, sizeof *all);
    if (!all) return 1;
    int at = 0;
    all[at++] = words[0];
    all[at++] = L"-I"; /* nothing of another Python on this computer: no settings, no packages of the person's own */
    all[at++] = L"-X";
    all[at++] = L"utf8";
    all[at++] = script;
    for (int word = 1; word < count; word++) all[at++] = words[word];
    return Py_Main(at, all);
}

#ifdef WINDOW
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE before, LPWSTR line, int shown) { return start(__argc, __wargv); }
#else
int wmain(int count, wchar_t **words) { return start(count, words); }
#endif
