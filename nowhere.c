#include "nowhere.h"
#include <math.h>

void nowhere(const double *in, double *out)
{
    const double v26 = 0x1.0000000000000p+0 / in[13];
    const double v27 = in[3] * 0x1.0000000000000p+2;
    const double v28 = in[13] * 0x1.39eb851eb851fp+3;
    const double v29 = in[2] * 0x1.0000000000000p+2;
    const double v30 = in[1] * 0x1.0000000000000p+2;
    const double v31 = in[3] * in[3];
    const double v32 = in[2] * in[2];
    const double v33 = in[1] * in[1];
    const double v34 = v33 + v32;
    const double v35 = v34 + v31;
    const double v36 = v35 + 0x1.8c240c4aecb14p-87;
    const double v37 = sqrt(v36);
    const double v38 = v37 - 0x1.999999999999ap-4;
    const double v39 = v38 * 0x1.8000000000000p+0;
    const double v40 = v39 + v39;
    const double v41 = 0x1.0000000000000p-1 / v37;
    const double v42 = v41 * v40;
    const double v43 = v42 * 0x1.0000000000000p+1;
    const double v44 = in[3] * v43;
    const double v45 = -v44;
    const double v46 = v45 - v27;
    const double v47 = v28 - v46;
    const double v48 = in[11] - v47;
    const double v49 = v26 * v48;
    const double v50 = in[2] * v43;
    const double v51 = v50 + v29;
    const double v52 = in[10] - v51;
    const double v53 = v26 * v52;
    const double v54 = in[1] * v43;
    const double v55 = v54 + v30;
    const double v56 = in[9] - v55;
    const double v57 = v26 * v56;
    const double v58 = sin(in[0]);
    const double v59 = v58 * (-0x1.39eb851eb851fp+2);
    const double v60 = in[8] + v59;
    const double v61 = v60 * 0x1.1c71c71c71c72p+1;
    const double v62 = -v59;
    out[0] = 0x1.ccccccccccccdp-2;
    out[1] = 0x0.0p+0;
    out[2] = 0x0.0p+0;
    out[3] = 0x0.0p+0;
    out[4] = 0x0.0p+0;
    out[5] = in[13];
    out[6] = 0x0.0p+0;
    out[7] = 0x0.0p+0;
    out[8] = 0x0.0p+0;
    out[9] = 0x0.0p+0;
    out[10] = in[13];
    out[11] = 0x0.0p+0;
    out[12] = 0x0.0p+0;
    out[13] = 0x0.0p+0;
    out[14] = 0x0.0p+0;
    out[15] = in[13];
    out[16] = v62;
    out[17] = v55;
    out[18] = v51;
    out[19] = v47;
    out[20] = v61;
    out[21] = v57;
    out[22] = v53;
    out[23] = v49;
}
